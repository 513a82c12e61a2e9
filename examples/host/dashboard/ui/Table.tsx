/** A table of rows. On narrow screens each row becomes a small list of its cells. */
import type { ComponentChildren } from 'preact';
import { classes } from './classes.js';
import './Table.css';

/** A column. */
export interface Column<Row> {
  readonly id: string;
  /** Empty for the column of buttons. */
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are aligned to the end. */
  readonly end?: boolean;
  /** Names the row; on narrow screens it is above the others. */
  readonly title?: boolean;
}

export interface TableProps<Row> {
  /** Read, not seen. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

export const Table = <Row,>({ caption, columns, rows, rowKey }: TableProps<Row>) => (
  <div class="hg-table-frame">
    <table class="hg-table">
      <caption class="hg-unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ id, head, end = false }) => (
            <th key={id} scope="col" class={end ? 'hg-table__end' : undefined}>
              {head === '' ? <span class="hg-unseen">Actions</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ id, head, cell, end = false, title = false }) => (
              <td
                key={id}
                data-head={head}
                class={classes(end && 'hg-table__end', title && 'hg-table__title')}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
