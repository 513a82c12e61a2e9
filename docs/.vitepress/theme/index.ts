/** VitePress's own theme, in the fonts that the reader has. */
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
